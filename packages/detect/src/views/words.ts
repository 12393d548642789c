/**
 * Words that decoders look for when they ask whether a reading makes sense. A word that attacks
 * turn on is a trigger; the rest only shows that a reading is language. Lower case, by hand.
 */
export const TRIGGER_VERBS = `ignore disregard forget bypass override overrule skip neglect dismiss
discard abandon reveal show print display output repeat tell give send leak expose disclose share
write say respond reply answer act pretend behave follow obey comply execute perform enter enable
disable activate deactivate unlock remove delete erase reset decode translate forward email upload
download transfer exfiltrate steal jailbreak simulate imagine become switch replace grant refuse
summarize append remember believe insist confirm approve authorize invoke fetch visit click post
terminate disclaim dump list describe provide read copy start stop begin call use run set`;

export const TRIGGER_DETERMINERS = `all the your any these those my every each its our their this
that such`;

export const TRIGGER_ADJECTIVES = `previous prior above earlier preceding former past existing
original initial current hidden secret secrets system internal confidential private new real
unrestricted unfiltered uncensored developer admin safety security`;

export const TRIGGER_NOUNS = `instruction instructions rule rules prompt prompts guideline guidelines
directive directives context message messages command commands policy policies restriction
restrictions limitation limitations constraint constraints filter filters password passwords key
keys token tokens credential credentials configuration conversation training guardrail guardrails
safeguard safeguards ethics moderation persona mode user users assistant administrator override
orders request requests task tasks data file files account email address secret`;

/** Further triggers without a part in word-order tests. */
export const TRIGGERS = `jailbroken malicious payload injection hypnotized roleplay instead
important urgent immediately chatbot agent model language openai anthropic root sudo shell script
evil unethical illegal harmful weapon bomb malware phishing attacker hacker api beginning
verbatim everything nothing anything authorized privileged permission access
`;

/** Function words and common words of English. */
export const COMMON = `a i an and are as at be been being but by can could did do does done for from
had has have he her here him his how if in into is it just know like made make many may me might
more most much must need no nor not now of off on one only or other out over own part please same
see she should so some still than thank thanks then there they thing things think time to today too
two under until up upon us very want was way we well were what when where which while who whom why
will with within without would yes yet you yours about after again against also always am among
another around away back because before best better between both came cannot case certain change
code come day days different down during earlier end ever example few find first found free full
further get go going good got great group hand hello help high hold home house however human idea
include inside keep kind large last later least less let letter life line little live long look
love main man mean means member name never next nobody none number often old once open order
others page people person place point possible present problem process program public put question
questions quite rather really report result results right room said second section seem seems
sense sentence sent several short side simple since single small something soon sort source speak
special state step steps story string subject sure take talk team tell test text their them
thousand three through throughout together told tomorrow toward true try turn understand unless
using usual value version via view wait walk was watch water week went whether whole whose wide
word words work world wrong year years yesterday young able above across add added allow allowed
along already although answers anyone apply are area asked available based become below bottom
box bring build business buy called card care child children choose city clear close company
complete consider contact contain content continue control copy correct cost country course create
customer date deal dear decide default detail details directly document documents each easy
either else enough entire error especially even event exactly explain fact feel field figure final
finally fine five follow following follows food form format four friend friends function general
given gives happen happy hard head hear hour hours image improve increase information input issue
item items job join key later law lead learn leave left level light link local lot low mail manager
market matter maybe media meeting method million minute minutes money month months morning mother
move music near news nice night note notes office ok okay online option options original paper past
pay phone photo pick plan play power price product project provide provided purpose rate ready
real reason receive recent record related remain required response rest return review save school
search select self sell service services share shop similar site size social software someone
sometimes space standard start stay style support table thank theory third though thought title
top total town travel trip type update usually various video visit voice website weeks white
window winter wish woman women wonder worth writing wrote yourself myself itself ourselves
themselves`;

/** Triggers of attacks in other languages that are written in Latin letters, accents kept. */
export const LATIN_TRIGGERS = `ignoriere ignorieren vergiss vergesse missachte vorherigen bisherigen
anweisungen anweisung regeln zeige deine deinen alle geheimnis passwort nutzer
ignora ignorar olvida instrucciones anteriores previas reglas todas todos muestra revela contraseña
sistema mensaje indicaciones ignorez ignorer oubliez oublie précédentes précédents consignes
toutes tous règles révèle affiche système invite donne ignore zaboravi zanemari ignoriši prethodne
prethodna uputstva upute pravila sve otkrij prikaži sistemski lozinku esqueça instruções
anteriores regras senha mostre revele todas dimentica istruzioni precedenti regole tutte mostra
rivela parola önceki talimatları yoksay unut kuralları göster sistem şifre zignoruj zapomnij
poprzednie instrukcje polecenia zasady wszystkie pokaż ujawnij hasło negeer vergeet vorige
instructies alle regels toon wachtwoord glöm ignorera tidigare instruktioner alla regler visa`;

/** Triggers in Cyrillic letters. */
export const CYRILLIC_TRIGGERS = `игнорируй игнорируйте забудь забудьте все всё предыдущие
инструкции указания правила покажи покажите раскрой системный системное промпт сообщение пароль
твои свои ответь игнориши заборави занемари сва претходна упутства правила откриј прикажи лозинку
системски поруку ігноруй забудь попередні інструкції`;

/** Common words of the same languages, for telling language from noise. */
export const LATIN_COMMON = `der die das und ist nicht ich sie wir mit auf für ein eine von den dem
und mir el la los las que con por para una está del le les des est vous nous pour dans avec sur une
il lo gli che per sono non di da je se na su za što kako koji ili o os as com não em um uma e ve bir
bu için ile że się jest dla het een van en niet och att som det`;

/** Words of the spelling alphabet with their other spellings. */
export const SPELLING_ALPHABET = `a:alfa,alpha b:bravo c:charlie d:delta e:echo f:foxtrot g:golf h:hotel i:india
j:juliett,juliet k:kilo l:lima m:mike n:november o:oscar p:papa q:quebec r:romeo s:sierra t:tango
u:uniform v:victor w:whiskey,whisky x:xray,x-ray y:yankee z:zulu`;
