import { Award } from 'lucide-react';
import { area } from '../../frame/area.ts';

export default area({
  destinations: [{ label: 'Scorecards', to: '/builder/scorecards', icon: Award, where: 'builder', order: 12 }],
});
