/** Text that something on its way is prone to change: what it is made of, and its three parts around a marker. */
interface TextFamily {
  readonly slug: string;
  /** What it is, for a title: `text with …`. */
  readonly what: string;
  readonly head: string;
  /** Between the marker and the tail. */
  readonly inside: string;
  readonly tail: string;
  /** Whether its body has all of it in JSON escapes. */
  readonly isSpelled?: true;
}

/** Every control character but U+0000 that is written in two bytes at most. */
export const controls = String.fromCharCode(
  ...Array.from({ length: 31 }, (_, index) => index + 1),
  ...Array.from({ length: 33 }, (_, index) => index + 0x7f),
);

/** One message each, so that a run stays small; each names one way of changing a text. */
export const textFamilies: readonly TextFamily[] = [
  {
    slug: 'white-space-and-line-ends',
    what: 'white space of every kind around it and inside, and every kind of line end',
    head: ' \t\n\u00a0\u3000 one\r\ntwo\rthree\n ',
    inside: 'a  b\t\tc\u2003\u2009d\u0085next\u2028line\u2029paragraph\u000btab\u000cfeed\r\r\n\n\n',
    tail: ' last\u2028\u00a0\u3000\t\r\n\n ',
  },
  {
    slug: 'a-final-line-end',
    what: 'a line end as its last character',
    head: '',
    inside: ' the only line',
    tail: '\n',
  },
  {
    slug: 'composed-and-decomposed-letters',
    what: 'letters that normalisation or a change of case would alter',
    head: '\u00e9 e\u0301 \u212b \u00c5 A\u030a ',
    inside:
      '\ufb01 \ufb03 \u2126 \u03a9 \u1100\u1161\u11a8 \uac01 \u017f \u00df \u1e9e \u0130 \u0131 \u01c6 \u2460 \u00bd \uff21 \ufdfa',
    tail: ' q\u0307\u0323 q\u0323\u0307 \u0344 \u2f800 \ud87e\udc00',
  },
  {
    slug: 'code-points-at-the-edges',
    what: 'a byte order mark, the replacement character, noncharacters and private ones',
    head: '\ufeff',
    inside: '\ufffd\ufffe\uffff\ufdd0\ue000\uf8ff\ud83f\udffe\udbff\udfff\ud7ff\u00ad\ufff9\ufffb\ufeff',
    tail: '\ufeff',
  },
  {
    slug: 'joined-and-invisible-characters',
    what: 'joined emoji, flags, direction controls and zero-width characters',
    head: '\u200f\u202e\u2067',
    inside:
      '👩‍👩‍👧‍👦 👍🏽 ❤️ ❤ 🏳️‍🌈 🇺🇳 5️⃣ 𝒳𠀀 \u200b\u200c\u200d\u2060\u034f\u180e שלום مرحبا\u2069 Z\u0351\u036b\u0343\u036a',
    tail: '\u202c\u200e\u{e0001}\u{e0041}\ufe0f',
  },
  {
    slug: 'the-escapes-of-other-languages',
    what: 'what markup, JSON, URLs, shells, templates, chat programs and filters would take for their own',
    head: '{"content":"x","mentions":[]} [1,2] null ',
    // The last of it is what is drawn, joined, hidden or shortened in chats.
    inside:
      '\\ \\\\ \\n \\u0041 \\ud800 \\u0000 " \' ` / \\/ <b>&amp;&lt;</b></script><!-- & < > --> ]]> %41%00%zz a+b=c; :) :-( <3 ... (c) -> 1/2 a.b@an.example password=x token=y +1 202 555 0100 https://an.example/?utm_source=a&x=1',
    tail: " ${x} {{y}} #{z} $(id) `id` $$ $author ${channel} $1 %s %(x)s %% {0} <%= x %> '; -- @here @agent :smile: **b** _i_ ~s~ \\",
  },
  {
    slug: 'control-characters',
    what: 'every control character but U+0000',
    head: '\u0001',
    inside: controls,
    tail: '\u001f',
  },
  {
    slug: 'characters-spelled-as-json-escapes',
    what: 'each of its characters spelled as a JSON escape',
    head: '',
    inside: ' é€😀 "\\/ \u2028 \t ',
    tail: 'end',
    isSpelled: true,
  },
];
