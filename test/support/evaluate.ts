/** Evaluates a formula as people read it, by means of its own: numbers, + − × /, parentheses, abs and round. */
import { Big } from 'big.js';

const Exact = Big();
Exact.DP = 60;

const TOKEN = /\s*(\d+(?:\.\d+)?|abs|round|[+−×/(),])/gy;

/** Throws for anything else. */
export function evaluate(formula: string): Big {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(formula); match !== null; match = TOKEN.exec(formula)) tokens.push(match[1] ?? '');
  if (tokens.join('') !== formula.replaceAll(/\s/gu, '')) throw new Error(`not a formula: ${formula}`);
  let at = 0;
  const next = (): string => tokens[at++] ?? '';
  const takes = (token: string): boolean => tokens[at] === token && (at += 1) > 0;
  const expect = (token: string): void => {
    if (!takes(token)) throw new Error(`"${token}" expected at ${at} of ${formula}`);
  };

  function atom(): Big {
    if (takes('−')) return atom().neg();
    if (takes('(')) return closed(sum());
    if (takes('abs')) {
      expect('(');
      return closed(sum().abs());
    }
    if (takes('round')) {
      expect('(');
      const value = sum();
      expect(',');
      return closed(value.round(Number(sum().toFixed())));
    }
    return new Exact(next());
  }
  const closed = (value: Big): Big => {
    expect(')');
    return value;
  };
  function product(): Big {
    let value = atom();
    for (;;) {
      if (takes('×')) value = value.times(atom());
      else if (takes('/')) value = value.div(atom());
      else return value;
    }
  }
  function sum(): Big {
    let value = product();
    for (;;) {
      if (takes('+')) value = value.plus(product());
      else if (takes('−')) value = value.minus(product());
      else return value;
    }
  }

  const value = sum();
  if (at !== tokens.length) throw new Error(`"${tokens[at]}" is too much in ${formula}`);
  return value;
}
