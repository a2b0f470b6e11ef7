import { PackageOpen } from 'lucide-react';
import { area } from '../../frame/area.ts';
import { t } from '../../kit/translate.ts';

export default area({
  destinations: [
    {
      label: t('Starter models'),
      to: '/builder/models',
      icon: PackageOpen,
      where: 'builder',
      section: 'Model',
      order: 15,
      isFor: ({ roles }) => roles.includes('Admin'),
    },
  ],
});
