import { Footprints, House } from 'lucide-react';
import { area } from '../../frame/area.ts';

export default area({
  destinations: [{ label: 'Home', to: '/', icon: House, where: 'main', order: 10, goKey: 'h' }],
  userMenu: [{ label: 'First steps', icon: Footprints, to: '/first-steps' }],
});
