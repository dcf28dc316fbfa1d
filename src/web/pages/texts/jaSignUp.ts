import { listOf } from '../../../runtime/config/signUp.ts'

const names = (all: string[]) => listOf(all, '、', (count) => `ほか ${count} 件`)

export const jaSignUp = {
  closed: '新しいアカウントの登録は受け付けていません。アカウントをお持ちの方はサインインできます。',
  members: (organizations: string[]) => `${names(organizations)} のメンバー`,
  users: (logins: string[]) => `ユーザー ${names(logins)}`,
  only: (who: string[]) => `新しく登録できるのは、次の方のみです: ${who.join('、')}。`,
  membership:
    'メンバーであることを確認するため、所属する組織を読み取ります。所属を公開していない場合は、組織を読み取れるトークン（スコープ read:org）が必要です。',
}
