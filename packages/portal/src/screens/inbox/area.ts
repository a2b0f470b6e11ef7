import { area } from '../../frame/area.ts';
import { t } from '../../kit/translate.ts';

export default area({
  panels: [{ kind: 'inbox', title: t('Inbox'), load: () => import('./inbox.panel.tsx') }],
});
