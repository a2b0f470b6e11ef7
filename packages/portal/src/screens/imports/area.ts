import { FileUp } from 'lucide-react';
import { area } from '../../frame/area.ts';
import { t } from '../../kit/translate.ts';

export default area({
  destinations: [
    {
      label: t('Import a table'),
      to: '/imports/new',
      icon: FileUp,
      where: 'builder',
      section: 'Data',
      order: 21,
      isFor: ({ roles }) => roles.some((role) => role === 'Admin' || role.endsWith('-moderator')),
    },
  ],
});
