import { Sparkles } from 'lucide-react';
import { area } from '../../frame/area.ts';

export default area({
  destinations: [
    { label: 'AI', to: '/ai', icon: Sparkles, where: 'main', order: 40 },
    { label: 'Assistant', to: '/ai', icon: Sparkles, where: 'ai', order: 10 },
  ],
  panels: [{ kind: 'assistant', title: 'Assistant', load: () => import('./assistant.panel.tsx') }],
});
