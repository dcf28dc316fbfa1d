/** Texts about reports of mistakes. */
export const jaMistakes = {
  report: '間違いを報告',
  signIn: '間違いを報告するには、サインインが必要です。サインインすると、報告フォームが開きます。',
  help: 'この記事の内容に間違いがあれば教えてください。報告はこのサービスの運営者だけが読みます。',
  description: '間違いの内容',
  descriptionHelp: 'どこが間違っていて、正しくはどうなるか。根拠があれば添えてください。',
  quote: '間違っている箇所（任意）',
  quoteHelp: '記事からそのまま貼り付けてください。',
  send: '報告する',
  invalid: (most: number, mostQuoted: number) =>
    `間違いの内容を ${most} 文字以内で入力してください。間違っている箇所は ${mostQuoted} 文字以内です。`,
  tooMany: '本日の報告数の上限に達しました。日付（UTC）が変わってからお試しください。',
  thanks: 'ご報告ありがとうございます',
  sent: '運営者に報告が届きました。個別の返信はありません。',
}
