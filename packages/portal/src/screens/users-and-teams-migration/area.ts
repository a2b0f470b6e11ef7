import { UsersRound } from 'lucide-react';
import { isAdmin } from '../../api/session.ts';
import { area } from '../../frame/area.ts';
import { t } from '../../kit/translate.ts';

export default area({
  destinations: [
    {
      label: t('Team migration'),
      to: '/builder/users-and-teams',
      icon: UsersRound,
      where: 'builder',
      section: 'Organization',
      order: 90,
      isFor: isAdmin,
    },
  ],
});
