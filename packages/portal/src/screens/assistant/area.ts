import { Sparkles } from 'lucide-react';
import { area } from '../../frame/area.ts';
import { t } from '../../kit/translate.ts';

export default area({
  destinations: [
    { label: 'AI', to: '/ai', icon: Sparkles, where: 'main', order: 40 },
    { label: t('Assistant'), to: '/ai', icon: Sparkles, where: 'ai', order: 10 },
  ],
  panels: [{ kind: 'assistant', title: t('Assistant'), load: () => import('./assistant.panel.tsx') }],
});
