import { Database } from 'lucide-react';
import { area } from '../../frame/area.ts';

export default area({
  screens: [
    { path: '/builder/sources', title: 'Data sources', load: () => import('./sources.screen.tsx') },
    { path: '/builder/sources/new-webhook', title: 'New webhook', load: () => import('./new-webhook.screen.tsx') },
    { path: '/builder/sources/webhooks/$webhook', title: 'Webhook', load: () => import('./webhook.screen.tsx') },
    {
      path: '/builder/sources/integrations/$integration',
      title: 'Integration',
      load: () => import('./integration.screen.tsx'),
    },
  ],
  destinations: [
    {
      label: 'Data sources',
      to: '/builder/sources',
      icon: Database,
      where: 'builder',
      order: 20,
      isFor: ({ roles }) => roles.includes('Admin'),
    },
  ],
});
