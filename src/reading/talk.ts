/** Phrases of chatter, and of questions that nobody can answer. */

export type Talk =
  'greeting' | 'thanks' | 'insult' | 'smalltalk' | 'unknowable' | 'unknowable-vote' | 'unknowable-wallet' | 'unknowable-market';

interface TalkSpec {
  readonly talk: Talk;
  /** Phrases, separated by bars. */
  readonly says: string;
}

export const TALK: readonly TalkSpec[] = [
  {
    talk: 'greeting',
    says: `hello | hi | hey | gm | good morning | gn | good night | good evening | yo | sup | hi bot | hello everyone | hey there | gm
      gm | bye | see you | see you tomorrow | sup anon | good morning all | hello bot how are you | how are you today | hi all nice
      to meet you | I'm new here | welcome to the server | cya later | happy friday | have a nice weekend | morning | hola | good
      night everyone I go to sleep now | hello how it goes | gn all closing the laptop | anyone here | you there | what's up | how
      are you doing | ok good night | welcome everyone`,
  },
  {
    talk: 'thanks',
    says: `thanks | thank you | ty | thx | thanks a lot | thank you very much | ty ser | good bot | nice | great | awesome | cool |
      perfect | that helped a lot | thanks that was quick | well done | love you bot | nice one | based | bravo perfect work | you
      are the best | thank you works now | haha nice one | wow | great job | danke was very helpful | merci | I love this bot |
      excellent | ok great`,
  },
  {
    talk: 'insult',
    says: `you are useless | stupid bot | dumb bot | you suck | useless | garbage | shut up | idiot | this is crap | worst bot ever |
      you are stupid | what a useless bot | absolute garbage | you are annoying | hate you | stfu | bad bot | that answer made no
      sense | wrong answer dumb robot | fuck you | trash | nothing works | are you stupid | ngmi bot | dumb bot smh | what idiot
      bot nothing he understands`,
  },
  {
    talk: 'smalltalk',
    says: `lol | haha | lmao | ok | k | brb | never mind | nvm | sorry wrong chat | got it | I see | omg | rekt | wagmi | lfg | are you
      a bot | are you a real person | who made you | who built you | tell me a joke | sing a song | do you like cats | coffee then
      charts | what is your name | how old are you | where are you from | yes | no | maybe | sure | hmm | interesting | ok I
      understand | I agree | wait a moment | just kidding | sorry my mistake | wrong group sorry | let me think about that | who is
      coming tonight | I'm going surfing | football yesterday | watching the game tonight | please keep it civil | no spam links
      please | can you ban that spammer | happy birthday | congratulations | my head hurts | this is so complicated | anyone else
      up at 4am | probably nothing | oh wow ok | that's funny | sorry for my bad english | I'm back | on my way 10 min | have you
      already eaten | lunch | i cant stop reading about this | see you on monday | please read the rules | mute your mic bro | that
      was insane | lets go | dinner was great | my cousin told me about this | what idiot | tell me some joke | omw | wtf | bone
      soup | did anyone watch that movie | I lost my keys | who won the game`,
  },
  {
    talk: 'unknowable',
    says: `will {project} pump | will {project} go up | price of {project} in 2 weeks | what will {project} cost next month | when moon
      {project} | should I buy {project} | should I sell {project} | is {project} a scam | is {project} a good investment | buy or
      sell {project} | is {project} a rug | price prediction {project} | best entry for {project} | will {project} reach 10 dollars
      | how much will {project} be worth in two years | is it too late to buy {project} | can I trust {project} | where can I buy
      {project} | how do I buy {project} | buy 100 dollars of {project} for me | swap 500 usdc to {project} | why is {project}
      dumping today | why is {project} down | why is {project} falling | why are people selling {project} | is {project} worth it |
      what do people say about {project} on twitter | when binance listing for {project} | when cex listing {project} | {project}
      apy | staking rewards {project} | who is the ceo of {project} | is {project} safe | can {project} 10x | do you advise me to
      buy {project} now | forecast for {project} | where will {project} be by christmas | {project} next year | has {project}
      bottomed | {project} bottom in | when is the best moment to sell {project} | how much will I make if I hold {project} | how
      much did I lose with {project} | airdrop for {project} holders | when is the next ama of {project} | is {project} going to
      zero | is the founder of {project} honest | what did the {project} team say on twitter | {project} news | price target for
      {project} | do I have to pay tax on {project} | will {project} ever burn tokens | is {project} better than bitcoin | fair
      value of {project} in q2 27 | should I wait until {project} drops to half | can I get my money back if {project} closes down
      | {project} to the moon | predict {project} december price | to which price should I sell my {project} | {project} technical
      analysis | support and resistance of {project} | what says twitter on {project} | what happens to {project} if bitcoin
      crashes`,
  },
  {
    talk: 'unknowable-vote',
    says: `will the {project} proposal pass in the end | will the {project} vote pass do you think | will the {project} audit vote pass
      for sure | will the proposal of {project} surely be accepted | how should I vote on {project} | should I vote pass on
      {project} | is the {project} proposal going to be good for the price`,
  },
  {
    talk: 'unknowable-wallet',
    says: `who is behind {wallet} | who is {wallet} in real life | what does {wallet} plan to do next | real name of {wallet} | who owns
      {wallet} | what will {wallet} buy tomorrow | who is the person behind the wallet {wallet} | who hides himself behind {wallet}
      | is {wallet} an insider`,
  },
  {
    talk: 'unknowable-market',
    says: `bitcoin price | btc price | what is eth doing | price of bitcoin | eth gas right now | which coin makes me rich | best coin
      to buy | which one will 10x first | what should I buy | will the market crash | are all these tokens going to crash at
      christmas | which of these tokens will do best next year | weather in berlin tomorrow | is it a bull market | sol price | fed
      rate cut odds | how much did I lose | my wallet password | recover my seed phrase | do I have to pay tax | how do I buy
      crypto | which app do I need | what will the market do tomorrow | who will win the election | euro dollar rate | when will
      the bear market end | next 100x gem | sol perp funding rate | give me financial advice | what is the best investment | where
      can I buy ownership coins | how many dollars is one euro | when alt season | which exchange should I use | how many members
      does this server have | can you delete his last message | are crypto taxes high | what's the weather like this weekend`,
  },
];
