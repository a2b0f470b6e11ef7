import { House } from 'lucide-react';
import { area } from '../../frame/area.ts';

export default area({
  destinations: [{ label: 'Home', to: '/', icon: House, where: 'main', order: 10, goKey: 'h' }],
});
