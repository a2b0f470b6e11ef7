import { Database } from 'lucide-react';
import { area } from '../../frame/area.ts';
import { t } from '../../kit/translate.ts';

export default area({
  destinations: [
    {
      label: t('Data sources'),
      to: '/builder/sources',
      icon: Database,
      where: 'builder',
      section: 'Data',
      order: 20,
      isFor: ({ roles }) => roles.includes('Admin'),
    },
  ],
});
