import { FileUp } from 'lucide-react';
import { area } from '../../frame/area.ts';

export default area({
  destinations: [
    {
      label: 'Import a table',
      to: '/imports/new',
      icon: FileUp,
      where: 'builder',
      section: 'Data',
      order: 21,
      isFor: ({ roles }) => roles.some((role) => role === 'Admin' || role.endsWith('-moderator')),
    },
  ],
});
