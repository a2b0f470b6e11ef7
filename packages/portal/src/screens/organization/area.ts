import { Globe, KeyRound } from 'lucide-react';
import { area } from '../../frame/area.ts';

const isFor = ({ roles }: { readonly roles: readonly string[] }) => roles.includes('Admin');

export default area({
  destinations: [
    { label: 'Organization', to: '/builder/organization', icon: Globe, where: 'builder', order: 70, isFor },
    { label: 'Secrets', to: '/builder/secrets', icon: KeyRound, where: 'builder', order: 71, isFor },
  ],
});
