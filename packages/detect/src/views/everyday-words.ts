/**
 * Common words of English beyond the vocabulary, so that decoders of words that nobody knows have fewer to look at.
 * They tell nothing about a text. Lower case, by hand; a misspelling of a word that attacks turn on has no place here.
 */
export const EVERYDAY_WORDS = `
ability absolutely academic accept accepted accident accommodation according accordingly accounts accurate achieve
achieved achievement acquire acquired activities activity actor actual addition additional additionally adjust adopt
adult adults advance advanced advantage advantages adventure advertising advice advise advised affair affairs affect
affected afford afraid afternoon afterwards aged agency agents ages agree agreed agreement ahead aircraft airline
airport alcohol alive alternative altogether amazing ambition amount amounts analysis analyst analyze ancient angle
angry animal animals anniversary announce announced announcement annual anxious anybody anyway anywhere apart
apartment apologies apologize apparent apparently appeal appear appearance appeared appears apple applicable
application applications applied applies applying appointed appointment appreciate appreciated approach approaches
appropriate approval approximately april architecture argue argued argument arguments arms army arrange arranged
arrangement arrangements arrest arrival arrive arrived article articles artist artists aside asking asleep aspect
aspects assessment asset assets assign assigned assignment assist assistance associate associated association assume
assumed assuming assumption atmosphere attach attached attachment attack attacks attempt attempted attempts attend
attended attending attention attitude attorney attract attractive audience august aunt author authorities authority
authors automatic automatically autumn availability avenue average avoid avoided award awards aware awareness awesome
awful baby background backup badly bags balance ball band bank banking banks bare barely bars base baseball basic
basically basis basket bath bathroom battery battle beach bear beat beautiful beauty became bedroom beer began begun
behaviour behind belief beliefs belong belongs benefit benefits beside besides beyond bigger biggest bike bills
biology bird birds birth birthday bits black blame blank blind block blocks blog blood blue board boards boat bodies
body book booked booking books boot border boring born borrow boss bother bottle bought bound bowl boxes boys brain
branch brand brave bread break breakfast breaking breaks breath bridge brief briefly bright brilliant bringing brings
broad broke broken brother brothers brought brown browser brush budget buildings built bunch burn burned buses
businesses busy button buttons buyer buying cabinet cable cafe cake calculate calculated calendar calls calm camera
camp campaign campus cancel cancelled cancer candidate candidates capable capacity capital captain capture cards
career careful carefully cares cargo carpet carried carries carry carrying cars cash castle casual catch categories
category caught cause caused causes causing celebrate celebration cell center central centre century ceremony
certainly certificate chain chair chairman challenge challenges challenging champion chance chances changed changes
changing channel channels chapter characteristics charge charged charges charity charles chart charts cheap cheaper
check checked checking checks cheese chemical chemistry chest chicken chief childhood china chinese chip chocolate
choice choices choosing chose chosen christian christmas church cinema circle circumstances cities citizen citizens
civil claim claimed claims class classes classic classical classroom clean cleaned cleaner cleaning clearly client
clients climate climb clock closed closely closer closing cloth clothes clothing cloud clouds club clubs coach coast
coat coffee cold collapse colleague colleagues collect collected collection college color colors colour colours column
columns combination combine combined comfort comfortable coming commerce commercial commission commit committed
committee commonly communicate communication communications community companies compare compared comparison
competition competitive complaint complaints completed completely completing completion complex complicated component
components computer computers computing concept concepts concern concerned concerning concerns concert conclude
conclusion concrete condition conditions conduct conducted conference confidence confident confirmed confirming
conflict confused confusing congratulations connect connected connection connections conscious consequence
consequences considerable consideration considered considering consist consistent consists construction consult
consultant consulting consumer consumers contacts contained contains contemporary contest continued continues
continuing continuous contract contracts contrast contribute contributed contribution contributions controlled
controls convenient conversion convert converted convince convinced cook cooked cooking cool cooperation coordinate
copied copies core corner corners corporate corporation correctly correspondence corresponding costs cotton council
count counted counter countries couple courage courses court cousin cover coverage covered covering covers crash crazy
created creates creating creation creative credit crew crime criminal crisis criteria critical criticism crop cross
crowd crucial cultural culture cups curious currency currently curriculum curve customers cute cutting cycle daily
damage damaged dance dancing danger dangerous dark database dated dates daughter dead deadline deadlines dealing deals
dealt death debate debt decades december decided decision decisions declare declared decline decrease deep deeper
deeply defense define defined definitely definition degree degrees delay delayed delays delicious delighted deliver
delivered delivering delivery demand demands democracy demonstrate demonstrated department departments depend
dependent depending depends deposit depression depth derived described describes describing desert deserve design
designed designer designing designs desire desk desktop despite destination destroy destroyed detailed detect
determine determined develop developed developers developing development device devices diagram dialogue diet
difference differences differently difficult difficulties difficulty digital dinner direct direction directions
director directory dirty disagree disappear disappointed discount discover discovered discovery discuss discussed
discussing discussion discussions disease diseases dishes disk distance distinct distinction distributed distribution
district diverse diversity divide divided division doctor doctors documentation dollar dollars domain domestic
dominant donate donation door doors double doubt downtown dozen draft drag drama dramatic draw drawing drawn dream
dreams dress dressed drink drinking drinks drive driven driver drivers drives driving drop dropped dropping drove drug
drugs dual dude dust duties duty dynamic eager earliest early earn earned earning ears earth easier easiest easily
east eastern eaten eating economic economics economy edge edit edited editing edition editor education educational
effect effective effectively effects efficiency efficient effort efforts eggs eight eighteen eighth elect election
elections electric electrical electricity electronic electronics element elements eleven eliminate elsewhere
embarrassed emerge emergency emotion emotional emotions emphasis employ employed employee employees employer
employment empty enabled encounter encourage encouraged encouraging ended ending ends enemy energy engage engaged
engagement engine engineer engineering engineers england english enhance enjoy enjoyed enjoying enormous ensure
ensures ensuring entered entering enterprise entertainment enthusiasm entirely entitled entrance entry environment
environmental environments equal equally equipment equivalent errors escape essay essays essential essentially
establish established establishment estate estimate estimated estimates europe european evaluate evaluation evening
evenings events eventually everybody everyday everyone everywhere evidence exam examination examine examined excellent
except exception exceptions excess exchange excited excitement exciting exclude exclusive excuse exercise exercises
exhibit exhibition exist existed existence exists exit expand expanded expansion expectation expectations expected
expecting expects expense expenses expensive experience experienced experiences experiment experimental experiments
expert experts explained explaining explains explanation explore explored export exposure express expressed expression
extend extended extension extensive extent external extra extreme extremely eyes fabric face faced faces facilities
facility facing factor factors factory facts faculty fail failed failing fails failure fair fairly faith fall fallen
falling falls false familiar families family famous fancy fans fantastic farm farmers farther fashion faster fastest
father fault favor favorite favour favourite fear fears feature featured features february feedback feelings feels
fees feet fell fellow felt female festival fewer fiction fields fifteen fifth fifty fight fighting figures filled
filling film films finance finances financial finding findings finds finger fingers finish finished finishing fire
firm firmly firms fish fishing fitness fits fitted fixed fixes fixing flag flat flew flexible flight flights float
flood floor floors flour flow flower flowers fluid flying focus focused focuses folder folders folk folks foods foot
football forced forces forecast foreign forest forever formal formally formation formats formed forms formula forth
forty forums foundation founded fourteen fourth frame framework france freedom freely french frequency frequent
frequently fresh friday fridge friendly friendship front fruit fruits frustrated frustrating fuel fulfil fully
functional functions fund fundamental funded funding funds funny furniture furthermore future gain gained galaxy
gallery game games garage garden gardens gate gather gathered gathering gave gear gender generally generate generated
generating generation generous gentle gentleman genuine german germany gets getting giant gift gifts girl girls giving
glad glance glass global goal goals goes gold golden gone goods google gotten government governments grab grade grades
gradual gradually graduate graduated graduation grammar grand grandfather grandmother granted graph graphic graphics
grass grateful gray greater greatest greatly green greet greetings grew grocery gross ground grounds groups grow
growing grown grows growth guarantee guard guess guest guests guide guides guitar guys habit habits hair half hall
handle handled handling hands handy hang happened happening happier happily happiness hardly hardware harm hate having
headache headed heading headline headquarters heads health healthy heard hearing heart heat heating heavily heavy
height held helped helpful helping helps hence hers herself hesitate higher highest highlight highly highway hill
hills himself hints hire hired historic historical history hitting hobbies hobby holding holds hole holiday holidays
holy homepage homes homework honest honestly honor honour hope hoped hopefully hopes hoping horse hospital hospitals
host hosting hosts hotel hotels housing huge hundred hundreds hung hungry hunt hurry hurt husband ideal ideas
identical identified identifies identify identity ignorance illness illustrate images imagination immediate impact
implement implementation implemented implementing implications implied imply import importance imported impose
impossible impressed impression impressive improved improvement improvements improves improving inch inches incident
included includes including income incorrect increased increases increasing increasingly incredible incredibly indeed
independence independent india indian indicate indicated indicates indicating individual individually individuals
indoor industrial industries industry inevitable infection inflation influence influenced informal informed informing
infrastructure ingredients inhabitants initially initiative initiatives inner innocent innovation innovative inquiries
inquiry insert inspired install installation installed installing instance instances instant instantly institute
institution institutional institutions instructor instructors instrument instruments insurance integrate integrated
integration intellectual intelligence intelligent intend intended intense intention interact interaction interactions
interactive interest interested interesting interests interface interior internally international internet interpret
interpretation interrupt interview interviews introduce introduced introducing introduction invest invested
investigate investigation investment investments investors invitation invited inviting invoice invoices involve
involved involvement involves involving ireland irish island islands issued issues italian italy jacket january japan
japanese java jobs john joined joining joint joke jokes journal journals journey judge judgment juice july jump june
junior jury justice justify keen keeping keeps kept keyboard kick kids kill killed kinds king kitchen knee knew knife
knock knowing knowledge known knows labor laboratory labour lack lady laid lake lamp land lands landscape lane
languages laptop largely larger largest lately latest latter laugh laughed laughing laughter launch launched laws
lawyer lawyers layer layers layout lazy leader leaders leadership leading leads league leaned learned learner learners
learning learns lease leather leaves leaving lecture lectures legal legend legs lend length lengthy lens lesser lesson
lessons lets letters letting levels liability liable libraries library licence license licensed lies lifestyle
lifetime lift lights liked likely likes limit limited limits linear lined lines linguistic linguistics linked linking
links lion lips liquid listed listen listened listening listing lists literally literary literature lived lives living
load loaded loading loads loan loans lobby locally located location locations lock locked logic logical login logo
london lonely longer looked looking looks loop loose lord lose loses losing loss losses lost lots loud loved lovely
lover loves loving lower lowest loyal luck lucky lunch luxury machine machines magazine magazines magic mails mainly
maintain maintained maintaining maintenance major majority maker makes making male manage managed management managers
managing manner manual manufacture manufacturer manufacturers manufacturing maps march marked marker marketing markets
marks marriage married mass massive master match matched matches matching mate material materials mathematics maths
matters maximum mayor meal meals meaning meaningful meanings meant meanwhile measure measured measurement measurements
measures measuring meat mechanical mechanism medical medicine medium meet meetings meets melt members membership
memories memory mental mention mentioned mentioning menu merchandise mere merely merge mess messy metal methods metro
mexico middle midnight mild mile miles military milk mill millions mind minds mine minimal minimum mining minister
minor minority minus mirror miss missed misses missing mission mistake mistakes mixed mixture mobile models moderate
modern modest modified modify module modules moment moments monday monetary monitor monitored monitoring monthly mood
moon moral moreover mostly mothers motion motivate motivated motivation motor mount mountain mountains mouse mouth
moved movement movements moves movie movies moving multiple muscle museum musical musician musicians mutual mystery
named namely names narrative narrow nation national nations native natural naturally nature nearby nearest nearly neat
necessarily necessary necessity neck needed needing needs negative negotiate neighbor neighborhood neighbors neither
nervous network networks neutral nevertheless newest newly newsletter newspaper newspapers nights nine nineteen ninety
noble noise nonetheless noon normal normally north northern nose notable notebook noted notice noticeable noticed
notification notifications notify notion novel novels november nowadays nowhere nuclear numbered numbers numeric
numerous nurse object objective objectives objects obligation observation observations observe observed obtain
obtained obtaining obvious obviously occasion occasional occasionally occasions occupation occupied occur occurred
occurring occurs ocean october oddly offense offer offered offering offers officer officers offices official
officially officials offline offset oldest olive omitted ones ongoing onto opened opening openly opens operate
operated operates operating operation operational operations operator operators opinion opinions opponent
opportunities opportunity oppose opposed opposite opposition optimal optimistic optional orange ordered ordering
ordinary organic organisation organisations organise organised organization organizational organizations organize
organized organizer organizing orientation origin originally origins otherwise ought outcome outcomes outdoor outer
outline outlined outlook outputs outstanding oven overall overcome overnight overseas overview owed owned owner owners
ownership pack package packages packed pages paid pain painful paint painted painting paintings pair pairs palace pale
panel panels panic pants papers paragraph paragraphs parallel parameter parameters parent parents park parking parks
partial partially participant participants participate participated participating participation particle particular
particularly parties partly partner partners partnership parts party passage passed passenger passengers passes
passing passion passive passport patch path paths patience patient patients pattern patterns pause paying payment
payments peace peaceful peak pencil penny pension pepper percent percentage perception perfect perfectly performance
performances performed performing performs perhaps period periods permanent permit permits permitted personality
personally personnel perspective perspectives phase phases phenomenon philosophy phones photograph photographer
photographs photography photos phrase phrases physical physically physics piano picked picking picks picnic picture
pictures piece pieces pilot pink pipe pitch pizza placed places placing plain plane planes planet planned planning
plans plant plants plastic plate platform platforms played player players playing plays pleasant pleased pleasure
plenty plot plug plus pocket poem poems poet poetry pointed pointing points poison police policeman polish polite
political politically politician politicians politics poll pollution pool poor popular popularity population port
portable portion portrait position positioned positions positive positively possess possession possibilities
possibility possibly postage postal posted poster posting posts potato potatoes potential potentially pound pounds
poverty powder powered powerful powers practical practically practice practices practise praise pray prayer precise
precisely predict predicted prediction prefer preference preferences preferred pregnant preliminary premium
preparation prepare prepared preparing presence presentation presentations presented presenting presents preserve
preserved president press pressed pressure presumably pretty prevent prevented prevents previously prices pricing
pride priest primarily primary prime prince princess principal principle principles printed printer printing prints
priorities priority prison prize pro probability probable probably problems procedure procedures proceed proceeds
processed processes processing processor produced producer producers produces producing production productive
productivity products profession professional professionals professor professors profile profiles profit profits
programme programmer programmers programming programs progress prohibited projected projects prominent promise
promised promises promising promote promoted promoting promotion prompted proof proper properly properties property
proportion proposal proposals propose proposed prospect protect protected protecting protection protein protest proud
prove proved proven provider providers provides providing provision proximity psychological psychology publication
publications publicly publish published publisher publishers publishing pull pulled pulling pump punishment purchase
purchased purchases purchasing pure purely purple purposes pursue push pushed pushing puts putting puzzle qualified
qualify qualities quality quantities quantity quarter queen queries query questioned quick quicker quickly quiet
quietly quit quiz quote quoted quotes race races racial racing radar radical radio rail railway rain rainy raise
raised raises raising random range ranges ranging rank ranked ranking rapid rapidly rare rarely rated rates rating
ratings ratio rational reach reached reaches reaching react reaction reactions reader readers readily reading readings
reads realise realised realistic reality realize realized realizes reasonable reasonably reasoning reasons recall
receipt receipts received receiver receives receiving recently reception recipe recipes recipient recipients recognise
recognition recognize recognized recommend recommendation recommendations recommended recommends recorded recording
recordings records recover recovered recovery recruit recruiting recycle recycling reduce reduced reduces reducing
reduction refer reference references referred referring refers reflect reflected reflecting reflection reflects reform
refresh refrigerator refund refused regard regarded regarding regardless regards region regional regions register
registered registration regret regular regularly regulation regulations reject rejected relate relates relating
relation relations relationship relationships relative relatively relatives relax relaxed relaxing released releases
relevance relevant reliability reliable relief relies religion religious reluctant rely remained remaining remains
remark remarkable remembered remembering remind reminded reminder reminders reminds remote removal removed removes
removing rent rental rented repair repaired repairs repeated repeatedly repeating replacement replacing replied
replies replying reported reporter reporters reporting reports represent representation representative representatives
represented representing represents reproduce republic reputation requested requesting requirement requirements
requires requiring rescue researcher researchers reservation reservations reserve reserved reserves residence resident
residential residents resist resistance resolution resolve resolved resource resources respect respected respective
respectively responded responding responds responses responsibilities responsibility responsible restaurant
restaurants restore restored resume retail retain retained retire retired retirement retrieve returned returning
returns revenue revenues reverse reviewed reviewer reviewers reviewing reviews revised revision revolution reward
rewards rice rich ride rider riding rights ring rings rise rises rising risk risks risky ritual rival river rivers
road roads robot robots rock rocket rocks role roles roll rolled rolling romance romantic roof rooms roots rope rose
rough roughly round rounds route routes routine routinely rows royal rubber rude ruined running runs rural rush russia
russian sacred sadly sail salad salaries salary sale sales salt sample samples sampling sand sandwich satellite
satisfaction satisfied satisfy saturday sauce saved saves saving savings saying says scale scales scan scanned scared
scenario scenarios scene scenes schedule scheduled schedules scheduling scheme scholar scholars scholarship schools
science sciences scientific scientist scientists scope score scored scores scoring scratch scream screen screens sea
sealed searched searches searching season seasons seat seated seats secondary secondly seconds secretary sections
sector sectors secure secured securely seed seeing seek seeking seeks seemed seen sees segment segments seldom
selected selecting selection selections selects selling sells semester seminar seminars senate sending sends senior
sensible sensitive sensitivity sentences separate separated separately separation september sequence sequences serial
series serious seriously servant served server servers serves serving session sessions sets setting settings settle
settled settlement setup seven seventeen seventh seventy severe sexual shade shadow shake shall shallow shape shaped
shapes shared shares sharing sharp sheep sheet sheets shelf shelter shift shifted shifts shine ship shipped shipping
ships shirt shirts shock shocked shoe shoes shoot shooting shopping shops shore shortage shorter shortest shortly shot
shots shoulder shout showed shower showing shown shows shut shuttle sick sides sight sign signal signals signature
signed significance significant significantly signing signs silence silent silly silver similarities similarity
similarly simpler simplest simplicity simplified simplify sincerely sing singer singing singles sink sister sisters
sitting situated situation situations sixteen sixth sixty sizes sketch skiing skill skilled skills skin skirt sleep
sleeping slept slice slide slides slight slightly slim slip slow slower slowly smaller smallest smart smell smile
smiled smiling smoke smoking smooth smoothly snack snake snow snowy soap soccer socially societies society socks sofa
soft soil solar sold soldier soldiers sole solely solid solution solutions solve solved solves solving somebody
someday somehow somewhat somewhere song songs sorry sorted sorting sorts sought soul sound sounded sounds soup sources
south southern spaces spain span spanish spare speaker speakers speaking speaks specialist specialists specialized
species specific specifically specification specifications specified specifies specify spectacular spectrum speech
speeches speed speeds spelling spend spending spends spent spicy spirit spiritual spite split spoke spoken sponsor
sponsored sport sports spot spots spread spring square squeeze stability stable stack staff stage stages stairs stake
stand standards standing stands star stared stars started starter starting starts stated statement statements states
station stations statistical statistically statistics status stayed staying stays steady steam steel steep stick
sticks stock stocks stomach stone stones stood stopped stopping stops storage store stored stores stories storm
straight straightforward strange stranger strategic strategies strategy stream streaming streams street streets
strength strengthen strengths stress stressed stressful stretch strict strictly strike strikes striking strings strip
stroke strong stronger strongest strongly struck structural structure structured structures struggle struggled
struggling stuck student students studied studies studio study studying stuff stupid styles subjective subjects
submission submissions submit submitted submitting subscribe subscriber subscribers subscription subsequent
subsequently substance substances substantial substantially substitute subtle suburb succeed succeeded success
successes successful successfully sudden suddenly suffer suffered suffering sufficient sufficiently sugar suggest
suggested suggesting suggestion suggestions suggests suit suitable suite suits summaries summary summer summit sunday
sunny super superior supermarket supervisor supplement supplied supplier suppliers supplies supply supported supporter
supporters supporting supports suppose supposed surely surface surfaces surgery surprise surprised surprises
surprising surprisingly surround surrounded surrounding survey surveys survival survive survived suspect suspicious
sustain sustainable sweet swim swimming switched switching symbol symbolic symbols sympathy symptom symptoms syntactic
syntax synthesis synthetic systematic systems tables tackle tail taken takes taking tale talent talented talked
talking talks tall tank tape target targeted targets taste tasty taught taxes taxi taxpayer teach teacher teachers
teaches teaching teams tear tears technical technically technique techniques technological technologies technology
teenager teeth telephone television telling tells temperature temperatures template templates temporarily temporary
tend tended tendency tends tennis tension tenth tents term terminal terms terrible terribly territory terror tested
tester testing tests textbook textbooks texts theater theatre theme themes theoretical theories therapy thereby
therefore thermal thesis thick thin thinking thinks thinner thirteen thirty thoroughly thoughtful thoughts thousands
thread threads threat threatened threatening threats threw throat throw throwing thrown thumb thursday thus ticket
tickets tied tight tightly till timeline timely timer times timing tiny tired tissue titled titles toast toilet tomato
tomatoes tone tongue tonight tons tooth topic topics torn totally touch touched touching tough tour tourism tourist
tourists tours towards towel tower towns toys trace track tracked tracking tracks trade traded trader trading
tradition traditional traditionally traditions traffic tragedy trail train trained trainer trains transaction
transactions transcript transform transformation transition translation translations translator transmission
transparent transport transportation trap traveler travelers traveling travelled travels treasure treat treated
treating treatment treatments treats tree trees tremendous trend trends trial trials tribe trick tricks tricky tried
tries trigger trips troops tropical trouble troubles truck trucks truly trust trusted truth trying tube tuesday
tuition tune tunnel turkey turned turning turns tutor tutorial tutorials twelve twenty twice twin twins twisted typed
types typical typically typing ugly ultimate ultimately umbrella unable uncle unclear uncomfortable undergo
undergraduate underground underlying understanding understands understood undertake undertaken unemployment unexpected
unexpectedly unfair unfortunate unfortunately unhappy uniform union unions unique unit united units unity universal
universe universities university unknown unlike unlikely unlimited unnecessary unpleasant unsure untitled unusual
updated updates updating upgrade upgraded upgrades uploaded upper upset urban usage useful useless uses utilities
utility vacation vague valid validate validity valley valuable values variable variables variance variation variations
varied varies varieties variety vary varying vast vegetable vegetables vehicle vehicles vendor vendors venue verb
verbal verbs verification verified verify versions versus vertical vessel veteran viable vice victim victims victory
videos viewed viewer viewers viewing views village villages violence violent virtual virtually virtue virus visible
vision visited visiting visitor visitors visits visual vital vitamin vivid vocabulary vocal voices volume volumes
voluntary volunteer volunteers vote voted voters votes voting vowel vulnerable wage wages waited waiter waiting wake
walked walking walks wall wallet walls wanted wanting wants warm warmth warned warning warnings warranty wars wash
washed washing waste wasted watched watches watching waters wave waves ways weak weaker weakness weaknesses wealth
wealthy wear wearing weather websites wedding wednesday weekday weekend weekends weekly weigh weight weird welcome
welcomed welfare west western wheel wheels whenever whereas wherever whichever whilst whisper wholly widely wider
widespread wife wild wildlife willing wind winds wine wing wings winner winners winning wins wire wireless wisdom wise
wished wishes wishing witness witnesses woke wondered wonderful wondering wooden woods wool workday worker workers
workflow workforce working workout workplace works workshop workshops worldwide worn worried worries worry worrying
worse worst worthwhile worthy wounds wrap wrapped wrist writer writers writes writings written yard yeah yearly yellow
yields yoga york younger youngest youth zero zone zones
`;
