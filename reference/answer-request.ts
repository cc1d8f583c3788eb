import { dispatch } from './dispatch.ts';
import { parseQuery } from './http/query.ts';
import { refusalAnswer } from './http/refusal-answer.ts';
import { matchRoute } from './http/router.ts';
import type { Answer, AnsweredRequest } from './model/answer.ts';
import type { Request } from './model/request.ts';
import type { Service } from './service/service.ts';

/** What becomes known of a request while it is answered. */
type Known = { -readonly [Key in keyof AnsweredRequest]: AnsweredRequest[Key] };

/** The answer of the service to a request, whoever brings it: the door between the core and what is around it. */
export async function answerRequest(service: Service, request: Request): Promise<Answer> {
  const { method, path, headers } = request;
  const known: Known = { route: null, method, path, query: {}, headers, actor: null };
  let given: Answer;
  try {
    given = await answerOfCall(service, request, known);
  } catch (error) {
    given = refusalAnswer(service.rules, error, known.route);
  }
  return (await service.onAnswer?.(given, known)) ?? given;
}

function answerOfCall(service: Service, request: Request, known: Known): Promise<Answer> {
  if (request.fault !== undefined) throw request.fault;
  const { route, parameters } = matchRoute(request.method, service.rules.pathMeant(request.path));
  known.route = route.name;
  const pairs = parseQuery(request.query);
  known.query = Object.fromEntries(pairs);
  return dispatch({ service, route, request, parameters, query: known.query }, pairs, (actor) => {
    known.actor = actor;
  });
}
