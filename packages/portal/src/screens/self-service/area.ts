import { Zap } from 'lucide-react';
import { area } from '../../frame/area.ts';

export default area({
  screens: [
    { path: '/self-service', title: 'Self-service', load: () => import('./hub.screen.tsx') },
    { path: '/self-service/$action', title: 'Run an action', load: () => import('./form.screen.tsx') },
    { path: '/self-serve', title: 'Self-service', load: () => import('./old-link.screen.tsx') },
  ],
  destinations: [{ label: 'Self-service', to: '/self-service', icon: Zap, where: 'main', order: 30, goKey: 's' }],
});
