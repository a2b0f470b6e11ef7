import { GitBranch } from 'lucide-react';
import { area } from '../../frame/area.ts';
import { t } from '../../kit/translate.ts';

export default area({
  destinations: [
    {
      label: t('Workflows'),
      to: '/workflows',
      icon: GitBranch,
      where: 'builder',
      section: 'Model',
      order: 16,
      goKey: 'w',
      isFor: ({ roles }) => roles.includes('Admin'),
    },
  ],
});
