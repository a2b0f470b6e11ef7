import { PackageOpen } from 'lucide-react';
import { area } from '../../frame/area.ts';

export default area({
  destinations: [
    {
      label: 'Starter models',
      to: '/builder/models',
      icon: PackageOpen,
      where: 'builder',
      section: 'Model',
      order: 15,
      isFor: ({ roles }) => roles.includes('Admin'),
    },
  ],
});
