import { Workflow } from 'lucide-react';
import { area } from '../../frame/area.ts';

export default area({
  screens: [
    { path: '/builder/automations', title: 'Automations', load: () => import('./automations.screen.tsx') },
    { path: '/builder/new-automation', title: 'New automation', load: () => import('./new-automation.screen.tsx') },
    { path: '/builder/automations/$automation', title: 'Automation', load: () => import('./automation.screen.tsx') },
  ],
  destinations: [
    {
      label: 'Automations',
      to: '/builder/automations',
      icon: Workflow,
      where: 'builder',
      order: 15,
      isFor: ({ roles }) => roles.includes('Admin'),
    },
  ],
});
