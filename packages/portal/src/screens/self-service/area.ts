import { Zap } from 'lucide-react';
import { area } from '../../frame/area.ts';
import { t } from '../../kit/translate.ts';

export default area({
  destinations: [{ label: t('Self-service'), to: '/self-service', icon: Zap, where: 'main', order: 30, goKey: 's' }],
});
