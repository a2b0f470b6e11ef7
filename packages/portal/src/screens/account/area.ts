import { KeyRound, Settings2 } from 'lucide-react';
import { area } from '../../frame/area.ts';

export default area({
  screens: [
    { path: '/sign-in', title: 'Sign in', layout: 'bare', load: () => import('./sign-in.screen.tsx') },
    { path: '/set-password', title: 'Set a password', layout: 'bare', load: () => import('./set-password.screen.tsx') },
    { path: '/me/credentials', title: 'Credentials', load: () => import('./credentials.screen.tsx') },
    { path: '/me/preferences', title: 'Preferences', load: () => import('./preferences.screen.tsx') },
  ],
  userMenu: [
    { label: 'Credentials', icon: KeyRound, to: '/me/credentials' },
    { label: 'Preferences', icon: Settings2, to: '/me/preferences' },
  ],
});
