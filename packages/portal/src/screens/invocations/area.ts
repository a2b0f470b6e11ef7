import { Gauge, ScrollText } from 'lucide-react';
import { area } from '../../frame/area.ts';

export default area({
  screens: [
    { path: '/ai/invocations', title: 'Invocations', load: () => import('./invocations.screen.tsx') },
    { path: '/ai/invocations/$invocation', title: 'Invocation', load: () => import('./invocation.screen.tsx') },
    { path: '/ai/usage', title: 'Usage', load: () => import('./usage.screen.tsx') },
  ],
  destinations: [
    { label: 'Invocations', to: '/ai/invocations', icon: ScrollText, where: 'ai', order: 30, goKey: 'i' },
    { label: 'Usage', to: '/ai/usage', icon: Gauge, where: 'ai', order: 40 },
  ],
});
