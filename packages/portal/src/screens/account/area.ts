import { KeyRound, NotebookPen, Plug, Settings2 } from 'lucide-react';
import { area } from '../../frame/area.ts';
import { t } from '../../kit/translate.ts';

export default area({
  userMenu: [
    { label: t('Credentials'), icon: KeyRound, to: '/me/credentials' },
    { label: t('Connected apps'), icon: Plug, to: '/me/connected-apps' },
    { label: t('Memory'), icon: NotebookPen, to: '/me/memory' },
    { label: t('Preferences'), icon: Settings2, to: '/me/preferences' },
  ],
});
