import { Bot } from 'lucide-react';
import { area } from '../../frame/area.ts';

export default area({
  destinations: [{ label: 'Agents', to: '/ai/agents', icon: Bot, where: 'ai', order: 20 }],
});
