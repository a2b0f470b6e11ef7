import { Workflow } from 'lucide-react';
import { area } from '../../frame/area.ts';
import { t } from '../../kit/translate.ts';

export default area({
  destinations: [
    {
      label: t('Automations'),
      to: '/builder/automations',
      icon: Workflow,
      where: 'builder',
      section: 'Model',
      order: 15,
      isFor: ({ roles }) => roles.includes('Admin'),
    },
  ],
});
