import { Workflow } from 'lucide-react';
import { area } from '../../frame/area.ts';

export default area({
  destinations: [
    {
      label: 'Automations',
      to: '/builder/automations',
      icon: Workflow,
      where: 'builder',
      section: 'Model',
      order: 15,
      isFor: ({ roles }) => roles.includes('Admin'),
    },
  ],
});
