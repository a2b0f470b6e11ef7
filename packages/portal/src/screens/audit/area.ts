import { FileText } from 'lucide-react';
import { area } from '../../frame/area.ts';

export default area({
  screens: [{ path: '/builder/audit', title: 'Audit log', load: () => import('./audit.screen.tsx') }],
  destinations: [
    {
      label: 'Audit log',
      to: '/builder/audit',
      icon: FileText,
      where: 'builder',
      order: 60,
      isFor: ({ roles }) => roles.includes('Admin'),
    },
  ],
});
