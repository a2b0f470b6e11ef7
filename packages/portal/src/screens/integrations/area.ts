import { Database } from 'lucide-react';
import { area } from '../../frame/area.ts';

export default area({
  destinations: [
    {
      label: 'Data sources',
      to: '/builder/sources',
      icon: Database,
      where: 'builder',
      section: 'Data',
      order: 20,
      isFor: ({ roles }) => roles.includes('Admin'),
    },
  ],
});
