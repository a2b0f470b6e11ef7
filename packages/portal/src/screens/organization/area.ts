import { Globe, KeyRound } from 'lucide-react';
import { area } from '../../frame/area.ts';
import { t } from '../../kit/translate.ts';

const isFor = ({ roles }: { readonly roles: readonly string[] }) => roles.includes('Admin');

export default area({
  destinations: [
    {
      label: t('Organization'),
      to: '/builder/organization',
      icon: Globe,
      where: 'builder',
      section: 'Organization',
      order: 70,
      isFor,
    },
    {
      label: t('Secrets'),
      to: '/builder/secrets',
      icon: KeyRound,
      where: 'builder',
      section: 'Data',
      order: 71,
      isFor,
    },
  ],
});
