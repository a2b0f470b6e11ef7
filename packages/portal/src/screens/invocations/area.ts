import { Gauge, ScrollText } from 'lucide-react';
import { area } from '../../frame/area.ts';
import { t } from '../../kit/translate.ts';

export default area({
  destinations: [
    { label: t('Invocations'), to: '/ai/invocations', icon: ScrollText, where: 'ai', order: 30, goKey: 'i' },
    { label: t('Usage'), to: '/ai/usage', icon: Gauge, where: 'ai', order: 40 },
  ],
});
