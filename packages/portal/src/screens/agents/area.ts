import { Bot } from 'lucide-react';
import { area } from '../../frame/area.ts';

export default area({
  screens: [
    { path: '/ai/agents', title: 'Agents', load: () => import('./agents.screen.tsx') },
    { path: '/ai/new-agent', title: 'New agent', load: () => import('./new-agent.screen.tsx') },
    { path: '/ai/agents/$agent', title: 'Agent', load: () => import('./agent.screen.tsx') },
  ],
  destinations: [{ label: 'Agents', to: '/ai/agents', icon: Bot, where: 'ai', order: 20 }],
});
