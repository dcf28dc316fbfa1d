import type { ErrorReason } from '../../errors.ts'

export const jaErrors = {
  title: {
    400: 'リクエストの内容が正しくありません',
    401: 'サインインが必要です',
    403: 'この操作は実行できません',
    404: '見つかりません',
    429: 'しばらくお待ちください',
    500: 'エラーが発生しました',
    503: '現在ご利用いただけません',
  },
  lead: {
    VALIDATION_ERROR: 'URL または入力内容に誤りがあります。',
    UNAUTHENTICATED: '続けるにはサインインしてください。',
    HOST_TOKEN_INVALID:
      '保存されているアクセストークンがコードホストに拒否されました。もう一度サインインしてください。',
    HOST_TOKEN_REQUIRED: 'コードホストのアクセストークンが必要です。',
    NOT_FOUND: 'ページが存在しないか、閲覧権限がありません。',
    PAYLOAD_TOO_LARGE: '入力が長すぎます。',
    RATE_LIMITED: 'アクセスが多すぎます。しばらくしてからお試しください。',
    QUOTA_EXCEEDED: '本日の記事作成数の上限に達しました。日付（UTC）が変わってからお試しください。',
    INTERNAL_SERVER_ERROR: 'サーバーで問題が発生しました。しばらくしてからお試しください。',
    HOST_UNAVAILABLE: 'コードホストから応答がありません。しばらくしてからお試しください。',
    MODEL_UNAVAILABLE: '記事を作成する AI から応答がありません。しばらくしてからお試しください。',
    GENERATION_FAILED:
      '生成された内容の根拠を確認できなかったため、記事を作成できませんでした。もう一度お試しください。',
    SERVICE_UNAVAILABLE: 'サービスが混み合っています。しばらくしてからお試しください。',
  },
  reasons: {
    favorite_limit: 'お気に入りは 100 件までです。いずれかを解除してから追加してください。',
    private_not_allowed: '非公開リポジトリです。このサービスでは、非公開のコードを AI に送信しません。',
    hidden_by_operator: 'このプルリクエストまたはリポジトリは、運営者により非表示になっています。',
    other_origin: 'ページを再読み込みして、もう一度お試しください。',
    token_owner_mismatch: 'このトークンは、コードホストの別のユーザーのものです。',
    node_lost: '記事の作成が繰り返し中断されたため、中止しました。もう一度お試しください。',
    deadline: 'このプルリクエストは読み込みに時間がかかりすぎるため、記事を作成できません。',
    memory: 'このプルリクエストは読み込みに必要なメモリが多すぎるため、記事を作成できません。',
  } satisfies Record<ErrorReason, string>,
  noSuchPull: 'プルリクエストが存在しないか、閲覧権限がありません。',
  requestId: 'お問い合わせ番号',
  back: '戻る',
}
