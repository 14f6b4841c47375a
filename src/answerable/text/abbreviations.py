"""Word lists of the sentence splitter: which words keep their full stop, which words begin a sentence."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# A name or a number always follows.
NEVER_END = words("""dr mr mrs ms prof rep reps sen sens gov gen col capt cpt cmdr lt sgt maj adm rev hon pres supt insp
    st mt ft messrs mme mmes mlle mm m hr fr frl sra srta dra dott sig ing dipl mag univ assoc asst vs v e.g eg i.e ie
    cf viz ca approx resp bzw z.b d.h u.a v.a i.d.r o.ä s.o s.u vgl evtl ggf inkl exkl zzgl sog ehem gest geb dh zb
    p.ex ex т.е т.к г-н г-жа им проф акад ул tzv tzn np tj m.in dhr mevr bijv nl aka incl excl""")
# In small letters these are measures, which may well end a sentence.
UNITS_TOO = words("m mm ms st mt ft hr gen col sen rep hon fr sig ing mag h")
# A capital after these is their own and no initial: "vitamin C."
LETTERED = words("""vitamin vitamins plan class type hepatitis group grade part section appendix point option team side
    level war serie series schedule annex block zone phase""")
# A number follows; before anything else the sentence may end.
NUMBER_FOLLOWS = words("""no nos nr num núm n° nº n art arts sec secs ch chap vol vols p pp pg fig figs eq eqs tab ed
    eds par abs ziff kap bd s str стр гл рис т п""")
# May stand at the end of a sentence; the next word decides.
MAY_END = words("""etc inc corp ltd co bros jr sr al a.m p.m pm u.s u.k u.n e.u u.s.a d.c ph.d m.d b.a m.a b.sc m.sc llc
    plc jan feb apr jun jul aug sep sept oct nov dec mon tue tues thu thur thurs fri ave blvd rd sq hwy dept est usw
    u.s.w ff f pts oz lb lbs hrs mins vols cie s.a s.l gmbh n.chr v.chr b.c a.d c.e b.c.e""")
HALF_DAYS = words("a.m p.m am pm")
TITLES = words("mr mrs ms dr prof sir lady lord miss")
STARTERS = words("""the a an this that these those there here it he she they we you i his her its their our my your in
    on at by for from with after before during while when where why how what who which as if but and or so yet however
    although though because since until also then thus therefore moreover meanwhile instead both each every some many
    most several all another other others such no not nobody nothing did do does is are was were has have had can could
    will would should might must let about according today yesterday tomorrow now later one two three once under over
    between among despite der die das ein eine er sie es wir ihr ich dies diese dieser im am auf bei mit nach von zu als
    wenn aber und le la les un une il elle ils elles nous vous ce cette ces dans en au aux pour par avec mais et el los
    las una ello ella esto este esta con para pero y lo gli""")
MONTHS = words("""januar jänner februar märz april mai juni juli august september oktober november dezember jan feb mär
    apr jun jul aug sep sept okt nov dez januari februari maart mei augustus oktober december ledna února března dubna
    května června července srpna září října listopadu prosince januára februára marca apríla mája júna júla augusta
    septembra októbra novembra decembra stycznia lutego marca kwietnia maja czerwca lipca sierpnia września
    października listopada grudnia tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta
    syyskuuta lokakuuta marraskuuta joulukuuta marts juni ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim
    kasım aralık január február március április május június július augusztus szeptember október""")
GERMAN_ORDINAL_CONTEXT = words("""am vom zum beim im der die das dem den des ab bis seit jeder jedes dieser dieses
    kaiser könig papst heinrich friedrich ludwig wilhelm karl otto""")
SPEECH_VERBS = words("""said says say asked asks told added replied wrote writes explained noted answered announced
    insisted claimed stated warned argued recalled shouted whispered cried continued concluded admitted reported
    remarked tweeted posted quipped sagte sagt fragte erklärte schrieb antwortete betonte meinte dit déclaré déclare
    demanda répondit affirme explique dijo dice preguntó explicó afirmó disse dice chiese rispose spiegò""")
