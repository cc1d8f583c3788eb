import { capabilities, health, channelsCall } from './calls/discovery.ts';
import { downloadFile, showFile, uploadFile } from './calls/files.ts';
import { listMentions } from './calls/list-mentions.ts';
import { readChannel } from './calls/read-channel.ts';
import { receiptsCall, reportReceipts } from './calls/receipts.ts';
import { sendMessage } from './calls/send-message.ts';
import { showOverview } from './calls/show-overview.ts';
import { agentOf, authenticate, checkWorkspaceAccess, machineOf, noteUse } from './http/authenticate.ts';
import type { AgentCall, Call, MachineCall } from './http/call.ts';
import { checkQuery, type DecodedPairs } from './http/query.ts';
import type { Answer, AnsweredRequest } from './model/answer.ts';
import { Refusal } from './model/refusal.ts';
import type { RouteName } from './model/routes.ts';
import type { Service } from './service/service.ts';

type Calls<Of extends Call> = Readonly<Partial<Record<RouteName, (call: Of) => Answer | Promise<Answer>>>>;

const openCalls: Calls<Call> = { health, capabilities };

const agentCalls: Calls<AgentCall> = {
  mentions: listMentions,
  channels: channelsCall,
  send: sendMessage,
  read: readChannel,
  receipts: receiptsCall,
  reportReceipts,
  upload: uploadFile,
  file: showFile,
  fileContent: downloadFile,
};

const machineCalls: Calls<MachineCall> = { overview: showOverview };

/**
 * Lets a call in and runs it: credential, rate, access, query, then the call itself. `identify` learns who asks as
 * soon as that is known.
 * @throws Refusal from whichever of them refuses first.
 */
export async function dispatch(
  call: Call,
  pairs: DecodedPairs,
  identify: (actor: NonNullable<AnsweredRequest['actor']>) => void,
): Promise<Answer> {
  const { service, route } = call;
  if (route.surface === 'open') return runCall(openCalls, call, pairs);

  const credential = await authenticate(call);
  identify({ agentId: credential.agentId, machineId: credential.machineId });
  checkLoad(service, route.name);
  const takeTurn = (): void => {
    if (service.rules.countsAgainstRate(route.name))
      service.quotas.takeRequest(credential.agentId ?? credential.token);
  };
  const isLate = service.rules.countsAfterwards(route.name);
  if (!isLate) takeTurn();
  if (route.surface === 'machine') {
    noteUse(service, credential, true);
    return runCall(machineCalls, { ...call, credential, machine: machineOf(service, credential) }, pairs);
  }
  const agent = agentOf(service, credential);
  await checkWorkspaceAccess(call, credential, agent);
  const answer = await runCall(agentCalls, { ...call, credential, agent }, pairs);
  if (isLate) takeTurn();
  return answer;
}

function checkLoad({ rules }: Service, route: RouteName): void {
  const retryAfterSeconds = rules.secondsToWait(route);
  if (retryAfterSeconds !== null) {
    throw new Refusal('rate-limited', 'the service takes no more requests now', { retryAfterSeconds });
  }
}

function runCall<Of extends Call>(calls: Calls<Of>, call: Of, pairs: DecodedPairs): Answer | Promise<Answer> {
  checkQuery(call.service.rules, call.route, pairs);
  const handle = calls[call.route.name];
  if (!handle) throw new Refusal('not-found', 'there is nothing at this path');
  return handle(call);
}
