export { hashProof, isSameProof, newProof, type ProofParts, readProof, writeProof } from './proof.ts';
export { createSignIn, type SignIn } from './sign-in.module.ts';
export { signInSealedColumns } from './sso/set-connection.ts';
