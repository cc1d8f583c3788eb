import { targetOfReference } from '../../embedded/embedded-reference.ts';
import { startReference } from '../../reference/index.ts';
import type { Reference } from '../../reference/index.ts';
import type { OpenServer, Server } from '../servers/server.ts';
import { CompanyAtWork } from './at-work.ts';
import type { Company } from './companion.ts';

/** The reference with a company at work in its workspaces, those that hooks make included. */
export function companyServer(company: Company): Server {
  return { id: `company ${company.id}`, open: () => openBeside(company) };
}

/** Starts it; `posts` tells how much the company has written. */
export async function openBeside(company: Company): Promise<OpenServer & { readonly posts: () => number }> {
  const reference = await startReference();
  const atWork = new CompanyAtWork(reference, company);
  atWork.join(reference.world);
  const target = targetOfReference(joinedBy(atWork, reference));
  return {
    target,
    posts: () => atWork.posts,
    close: async () => {
      await atWork.stop();
      await reference.close();
    },
  };
}

/** A fresh workspace is one that the company has been let into. */
function joinedBy(atWork: CompanyAtWork, reference: Reference): Reference {
  const { operator } = reference;
  const provision: typeof operator.provision = () => {
    const world = operator.provision();
    atWork.join(world);
    return world;
  };
  return { ...reference, operator: { ...operator, provision } };
}
