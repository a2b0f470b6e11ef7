import { Bot } from 'lucide-react';
import { area } from '../../frame/area.ts';
import { t } from '../../kit/translate.ts';

export default area({
  destinations: [{ label: t('Agents'), to: '/ai/agents', icon: Bot, where: 'ai', order: 20 }],
});
