import { Footprints, House } from 'lucide-react';
import { area } from '../../frame/area.ts';
import { t } from '../../kit/translate.ts';

export default area({
  destinations: [{ label: t('Home'), to: '/', icon: House, where: 'main', order: 10, goKey: 'h' }],
  userMenu: [{ label: t('First steps'), icon: Footprints, to: '/first-steps' }],
});
