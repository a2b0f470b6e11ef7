import { Globe, KeyRound } from 'lucide-react';
import { area } from '../../frame/area.ts';

const isFor = ({ roles }: { readonly roles: readonly string[] }) => roles.includes('Admin');

export default area({
  destinations: [
    {
      label: 'Organization',
      to: '/builder/organization',
      icon: Globe,
      where: 'builder',
      section: 'Organization',
      order: 70,
      isFor,
    },
    { label: 'Secrets', to: '/builder/secrets', icon: KeyRound, where: 'builder', section: 'Data', order: 71, isFor },
  ],
});
