import { FlaskConical } from 'lucide-react';
import { area } from '../../frame/area.ts';
import { t } from '../../kit/translate.ts';

export default area({
  destinations: [{ label: t('Evaluation'), to: '/ai/evaluation', icon: FlaskConical, where: 'ai', order: 35 }],
});
