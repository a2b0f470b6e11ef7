import { KeyRound, Settings2 } from 'lucide-react';
import { area } from '../../frame/area.ts';

export default area({
  userMenu: [
    { label: 'Credentials', icon: KeyRound, to: '/me/credentials' },
    { label: 'Preferences', icon: Settings2, to: '/me/preferences' },
  ],
});
