import { LayoutGrid } from 'lucide-react';
import { area } from '../../frame/area.ts';

export default area({
  destinations: [{ label: 'Catalog', to: '/catalog', icon: LayoutGrid, where: 'main', order: 20, goKey: 'c' }],
});
