import { LayoutGrid } from 'lucide-react';
import { area } from '../../frame/area.ts';
import { t } from '../../kit/translate.ts';

export default area({
  destinations: [{ label: t('Catalog'), to: '/catalog', icon: LayoutGrid, where: 'main', order: 20, goKey: 'c' }],
});
