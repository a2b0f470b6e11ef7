import { Zap } from 'lucide-react';
import { area } from '../../frame/area.ts';

export default area({
  destinations: [{ label: 'Self-service', to: '/self-service', icon: Zap, where: 'main', order: 30, goKey: 's' }],
});
