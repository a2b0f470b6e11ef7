import { Gauge, ScrollText } from 'lucide-react';
import { area } from '../../frame/area.ts';

export default area({
  destinations: [
    { label: 'Invocations', to: '/ai/invocations', icon: ScrollText, where: 'ai', order: 30, goKey: 'i' },
    { label: 'Usage', to: '/ai/usage', icon: Gauge, where: 'ai', order: 40 },
  ],
});
