import type { PageRoute } from './page.ts'
import { home } from './pages/home.ts'
import { chooseLanguage } from './pages/language.ts'
import { finishSignIn, leaveSession, showSignIn, signInWithToken, startSignIn } from './pages/signIn.ts'

export const routes: PageRoute[] = [
  { method: 'GET', path: '/read', handler: home },
  { method: 'POST', path: '/read/language', handler: chooseLanguage },
  { method: 'GET', path: '/sign-in', handler: showSignIn },
  { method: 'POST', path: '/sign-in', handler: signInWithToken },
  { method: 'GET', path: '/sign-in/host', handler: startSignIn },
  { method: 'GET', path: '/sign-in/done', handler: finishSignIn },
  { method: 'POST', path: '/sign-out', handler: leaveSession },
]
