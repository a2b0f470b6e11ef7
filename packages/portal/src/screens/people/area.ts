import { User, UserPlus, Users } from 'lucide-react';
import { area } from '../../frame/area.ts';
import { t } from '../../kit/translate.ts';

const isFor = ({ roles }: { readonly roles: readonly string[] }) => roles.includes('Admin');

export default area({
  destinations: [
    { label: t('Users'), to: '/builder/users', icon: User, where: 'builder', section: 'People', order: 40, isFor },
    { label: t('Teams'), to: '/builder/teams', icon: Users, where: 'builder', section: 'People', order: 41, isFor },
  ],
  commands: [
    {
      label: t('Invite people'),
      keywords: 'user member link',
      icon: UserPlus,
      isFor,
      run: (navigate) => void navigate({ to: '/builder/users', search: { invite: true } }),
    },
  ],
});
