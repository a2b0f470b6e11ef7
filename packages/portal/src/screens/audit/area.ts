import { FileText } from 'lucide-react';
import { area } from '../../frame/area.ts';

export default area({
  destinations: [
    {
      label: 'Audit log',
      to: '/builder/audit',
      icon: FileText,
      where: 'builder',
      section: 'People',
      order: 60,
      isFor: ({ roles }) => roles.includes('Admin'),
    },
  ],
});
