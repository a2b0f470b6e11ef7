import { area } from '../../frame/area.ts';
import { t } from '../../kit/translate.ts';

export default area({
  panels: [{ kind: 'notices', title: t('Notices'), load: () => import('./notices.panel.tsx') }],
});
