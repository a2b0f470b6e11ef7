import { joinNames, useAdministrators } from './administrators.ts';

/** Names the administrators, as far as the user may see them. */
export function WhoCanGrant() {
  const administrators = useAdministrators();
  if (administrators.length === 0) return <>An administrator can give you access.</>;
  return <>Administrators can give you access: {joinNames(administrators)}.</>;
}
