import { Network } from 'lucide-react';
import { area } from '../../frame/area.ts';
import { t } from '../../kit/translate.ts';

export default area({
  destinations: [
    {
      label: t('Data model'),
      to: '/builder/data-model',
      icon: Network,
      where: 'builder',
      section: 'Model',
      order: 10,
      goKey: 'b',
      // moderators may migrate data and view permissions
      isFor: ({ roles }) => roles.some((role) => role !== 'Member'),
    },
  ],
});
